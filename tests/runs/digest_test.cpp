#include "runs/digest.hpp"

#include <gtest/gtest.h>

namespace gusset {
namespace {

// The examples of FIPS 180-4.
TEST(Digest, Sha256OfThePublishedExamples) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace gusset
