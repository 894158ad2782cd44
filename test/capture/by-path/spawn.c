int spawn_counter;

void
spawn(void)
{
	spawn_counter++;
}
