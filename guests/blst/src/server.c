/*
 * Copyright Supranational LLC
 * Licensed under the Apache License, Version 2.0, see LICENSE for details.
 * SPDX-License-Identifier: Apache-2.0
 */

#include "keygen.c"
#include "hash_to_field.c"
#include "e1.c"
#include "map_to_g1.c"
#include "e2.c"
#include "map_to_g2.c"
#include "fp12_tower.c"
#include "pairing.c"
#include "aggregate.c"
#include "exp.c"
#include "sqrt.c"
#include "recip.c"
#include "bulk_addition.c"
#include "multi_scalar.c"
#include "consts.c"
#include "vect.c"
#include "exports.c"
#ifndef __BLST_CGO__
# include "rb_tree.c"
#endif
#ifdef BLST_FR_PENTAROOT
# include "pentaroot.c"
#endif
#ifndef __BLST_NO_CPUID__
# include "cpuid.c"
#endif
