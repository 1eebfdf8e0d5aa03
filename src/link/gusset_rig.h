/* The interface between Gusset and a laboratory's own driver, a shared library in C or anything that
 * can be called like it:
 *
 *   gusset run FILE --rig plugin:/path/driver.so --out run.h5
 *   gusset run FILE --rig "plugin:/path/driver.so?anything the driver wants" --out run.h5
 *
 * The library exports one function, gusset_rig(), which returns its table of functions. Gusset calls
 * open once, then send once a period (again with the same sequence while no answer comes) and receive
 * as often as it waits, from the real-time thread, then close. send and receive must not allocate, lock
 * or block: commands go to the hardware at once, and receive says whether the answer to one has come.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef GUSSET_RIG_H
#define GUSSET_RIG_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define GUSSET_RIG_ABI 1u

/* What a command asks for, and what an answer says of the rig. */
enum gusset_rig_phase {
  GUSSET_RIG_IDLE = 0,     /* only answer with what is measured; do not move */
  GUSSET_RIG_APPROACH = 1, /* on the way to where the test starts */
  GUSSET_RIG_TEST = 2,
  GUSSET_RIG_HOLD = 3,    /* stand still, the test goes on later */
  GUSSET_RIG_RETREAT = 4, /* on the way back */
  GUSSET_RIG_STOP = 5,    /* interlock: stop whatever moves, now */
  GUSSET_RIG_TRIPPED = 6  /* answer only: a limit of the rig itself was passed, it stands still */
};

typedef struct gusset_rig_signal {
  const char* name; /* e.g. "damper.command", "damper.force" */
  const char* unit; /* SI, e.g. "m", "N" */
} gusset_rig_signal;

typedef struct gusset_rig_setup {
  uint32_t abi; /* GUSSET_RIG_ABI of the caller */
  uint32_t command_count;
  uint32_t feedback_count;
  uint32_t error_size;
  const gusset_rig_signal* commands; /* value, rate, curvature and rate at the start of each channel */
  const gusset_rig_signal* feedback;
  double period;       /* between commands [s] */
  const char* options; /* what stands behind the '?' of the URL; never null */
  char* error;         /* write here why open fails, at most error_size bytes with the final 0 */
} gusset_rig_setup;

typedef struct gusset_rig_message {
  uint64_t sequence; /* of the command, from 1; its answer carries the same */
  int64_t time;      /* of the test [ns] */
  int64_t step;
  int32_t substep;
  uint32_t phase; /* enum gusset_rig_phase */
  uint32_t cause; /* answer: 0, or why it tripped */
  uint32_t reserved;
} gusset_rig_message;

typedef struct gusset_rig_driver {
  uint32_t abi;         /* GUSSET_RIG_ABI of the driver */
  uint32_t virtual_rig; /* 1: nothing real moves, and Gusset need not be strict about timing */
  const char* name;
  /* Returns what the other functions get as `rig`, or null after writing setup->error. */
  void* (*open)(const gusset_rig_setup* setup);
  /* 0: the command is on its way. A command with the sequence of the last one is a repetition: its
   * answer has not come; nothing may move twice for it. */
  int (*send)(void* rig, const gusset_rig_message* message, const double* commands);
  /* 1: message and feedback are filled in; 0: nothing new; negative: the rig is lost. */
  int (*receive)(void* rig, gusset_rig_message* message, double* feedback);
  void (*close)(void* rig);
} gusset_rig_driver;

/* Exported by the library. */
const gusset_rig_driver* gusset_rig(void);

#ifdef __cplusplus
}
#endif

#endif
