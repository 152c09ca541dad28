"""Those who take part, one file each, in a folder per suite."""
