// FLAGS: --entry init_module --entry cleanup_module
/* A module with a device: its functions run beside each other and themselves, and lock. */
#include "linux.h"

struct box {
	struct mutex lock;
	int opened;
	char text[64];
};

static struct box *box;

static int
box_open(struct inode *inode, struct file *file)
{
	mutex_lock(&box->lock);
	box->opened++; // NORACE
	mutex_unlock(&box->lock);
	file->private_data = box; // NORACE
	return 0;
}

static long
box_read(struct file *file, char *to, size_t n, long *pos)
{
	struct box *b = file->private_data; // NORACE
	char copy[64];

	mutex_lock(&b->lock);
	for (int i = 0; i < 64; i++)
		copy[i] = b->text[i]; // NORACE
	mutex_unlock(&b->lock);
	return copy_to_user(to, copy, 64) ? -14 : 64; // NORACE
}

static long
box_write(struct file *file, const char *from, size_t n, long *pos)
{
	struct box *b = file->private_data; // NORACE
	char copy[64];

	if (copy_from_user(copy, from, 64)) // NORACE
		return -14;
	mutex_lock(&b->lock);
	for (int i = 0; i < 64; i++)
		b->text[i] = copy[i]; // NORACE
	mutex_unlock(&b->lock);
	return 64;
}

static const struct file_operations ops = {
	.open = box_open, .read = box_read, .write = box_write,};
static struct miscdevice device = {255, "box", &ops};

static int
box_init(void)
{
	box = __kmalloc(sizeof *box, GFP_KERNEL); // NORACE
	if (!box)
		return -12;
	box->opened = 0; // NORACE
	return misc_register(&device);
}

static void
box_exit(void)
{
	misc_deregister(&device);
}

module_init(box_init);
module_exit(box_exit);
