/* parse.h - from the text of a model file to rules. */
#ifndef MODEL_PARSE_H
#define MODEL_PARSE_H

#include "model/model_int.h"

/* See models_parse. */
bool parse_models(Models *m, const char *file, const char *text, size_t n, struct Diag *diag);

#endif
