/* The smallest driver: a rig that follows its commands at once and holds a spring in every channel.
 *
 *   cc -shared -fPIC -I src/link -o spring.so examples/rig-plugin/spring.c
 *   gusset run FILE --rig "plugin:./spring.so?50000" --out run.h5        (stiffness in N/m)
 *
 * A real driver writes the commands to its hardware in send, and reads its converters in receive.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gusset_rig.h"

enum { numbers_of_a_command = 4 };

struct spring {
  double stiffness;
  uint32_t channels;
  uint32_t feedback_count;
  gusset_rig_message message;
  double* feedback;
  int fresh;
};

static void* open_spring(const gusset_rig_setup* setup) {
  struct spring* spring;
  if (setup->feedback_count != 2 * (setup->command_count / numbers_of_a_command)) {
    snprintf(setup->error, setup->error_size, "this rig measures displacement and force only");
    return NULL;
  }
  spring = calloc(1, sizeof *spring);
  spring->feedback = calloc(setup->feedback_count, sizeof(double));
  spring->channels = setup->command_count / numbers_of_a_command;
  spring->feedback_count = setup->feedback_count;
  spring->stiffness = strtod(setup->options, NULL);
  if (!(spring->stiffness > 0)) {
    snprintf(setup->error, setup->error_size, "give the stiffness in N/m: plugin:spring.so?50000");
    free(spring->feedback);
    free(spring);
    return NULL;
  }
  return spring;
}

static int send_command(void* rig, const gusset_rig_message* message, const double* commands) {
  struct spring* spring = rig;
  uint32_t c;
  for (c = 0; c < spring->channels; ++c) {
    if (message->phase == GUSSET_RIG_IDLE || message->phase == GUSSET_RIG_STOP) break;
    spring->feedback[2 * c] = commands[numbers_of_a_command * c];
    spring->feedback[2 * c + 1] = spring->stiffness * spring->feedback[2 * c];
  }
  spring->message = *message;
  spring->fresh = 1;
  return 0;
}

static int receive_feedback(void* rig, gusset_rig_message* message, double* feedback) {
  struct spring* spring = rig;
  if (!spring->fresh) return 0;
  spring->fresh = 0;
  *message = spring->message;
  memcpy(feedback, spring->feedback, spring->feedback_count * sizeof(double));
  return 1;
}

static void close_spring(void* rig) {
  struct spring* spring = rig;
  free(spring->feedback);
  free(spring);
}

static const gusset_rig_driver driver = {GUSSET_RIG_ABI, 1,           "spring",         open_spring,
                                         send_command,   receive_feedback, close_spring};

const gusset_rig_driver* gusset_rig(void) { return &driver; }
