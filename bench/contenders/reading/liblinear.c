/* Times LIBLINEAR's own reader: `read_problem` of its program `train`, whose source is found by -I. */

#define main liblinear_main
#include "train.c"
#undef main

#include <time.h>

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* VmHWM or VmRSS, in bytes. */
static long memory(const char *key)
{
	char text[256];
	long kib = 0;
	FILE *status = fopen("/proc/self/status", "r");
	while (status && fgets(text, sizeof text, status))
		if (strncmp(text, key, strlen(key)) == 0)
			kib = strtol(text + strlen(key) + 1, NULL, 10);
	if (status)
		fclose(status);
	return 1024 * kib;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	bias = -1;
	long start_bytes = memory("VmRSS");
	double cpu = (double)clock() / CLOCKS_PER_SEC, start = now();
	read_problem(argv[1]);
	double seconds = now() - start;
	cpu = (double)clock() / CLOCKS_PER_SEC - cpu;
	long peak_bytes = memory("VmHWM");

	double sum = 0, squares = 0, by_column = 0, by_row = 0, labels = 0;
	size_t nodes = 0;
	for (int i = 0; i < prob.l; i++) {
		double row = 0;
		for (const struct feature_node *p = prob.x[i]; p->index != -1; p++, nodes++) {
			row += p->value;
			squares += p->value * p->value;
			by_column += p->index * p->value;
		}
		nodes++; /* the mark at the end of a row */
		sum += row;
		by_row += (i + 1.0) * row / prob.l;
		labels += (i + 1.0) * prob.y[i] / prob.l;
	}
	size_t bytes = nodes * sizeof(struct feature_node);
	bytes += (size_t)prob.l * (sizeof(struct feature_node *) + sizeof(double));
	printf("{\"seconds\":%.9f,\"cpu_seconds\":%.6f,\"threads\":1,\"start_bytes\":%ld,"
	       "\"peak_bytes\":%ld,\"result_bytes\":%zu,\"fingerprint\":{\"rows\":%d,\"cols\":%d,"
	       "\"sum\":%.17g,\"squares\":%.17g,\"by_column\":%.17g,\"by_row\":%.17g,\"labels\":%.17g}}\n",
	       seconds, cpu, start_bytes, peak_bytes, bytes, prob.l, prob.n,
	       sum, squares, by_column, by_row, labels);
	return 0;
}
