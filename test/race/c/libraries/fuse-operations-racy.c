/* FUSE serves requests in threads of its own: the functions of a file system meet each other. */
#include <stddef.h>

struct stat;
struct fuse_file_info;
struct fuse_operations {
	int (*getattr)(const char *, struct stat *, struct fuse_file_info *);
	int (*open)(const char *, struct fuse_file_info *);
	int (*read)(const char *, char *, size_t, long, struct fuse_file_info *);
};
int fuse_main_real(int, char **, const struct fuse_operations *, size_t, void *);

static long opened, reads;

static int
do_open(const char *path, struct fuse_file_info *file)
{
	opened++; // RACE
	return !path && !file;
}

static int
do_read(const char *path, char *to, size_t n, long at, struct fuse_file_info *file)
{
	reads += (long)n;                                  // RACE
	return path && to && at && file ? (int)opened : 0; // RACE
}

static const struct fuse_operations operations = {.open = do_open, .read = do_read};

int
main(int argc, char **argv)
{
	opened = 1; // NORACE
	return fuse_main_real(argc, argv, &operations, sizeof operations, NULL);
}
