#pragma once

/// GUSSET_WIDE before a function compiles it twice, for any 64-bit x86 and for those with registers of
/// four numbers (AVX2); the loader takes the one that fits the machine. Both round alike: multiply and
/// add stay apart (-ffp-contract=off), only more rows are worked on at a time. For plain loops over
/// arrays. Sanitizers cannot start where the loader has such a choice to make.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define GUSSET_WIDE __attribute__((target_clones("avx2", "default")))
#else
#define GUSSET_WIDE
#endif
