#include "cuda_engine.hpp"

#include "base/error.hpp"
#include "engine/engine_registry.hpp"

#include <gtest/gtest.h>

namespace pollard {
namespace {

TEST(CudaEngine, IsCalledCuda) { EXPECT_EQ(makeCudaEngine()->name(), "cuda"); }

TEST(CudaEngine, SaysInOneLineWhyItCannotBeUsed) {
    const std::string reason = makeCudaEngine()->unusableReason();
    EXPECT_FALSE(reason.empty());
    EXPECT_EQ(reason.find('\n'), std::string::npos);
}

TEST(CudaEngine, NamesNoDeviceWithoutMemory) {
    const auto engine = makeCudaEngine();
    EXPECT_EQ(engine->device().empty(), engine->memoryBytes() == 0);
}

TEST(CudaEngine, RefusesASessionWithItsReason) {
    const auto engine = makeCudaEngine();
    try {
        (void)engine->openSession();
        FAIL() << "a session was opened";
    } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::engineUnavailable);
        EXPECT_NE(std::string(error.what()).find(engine->unusableReason()), std::string::npos) << error.what();
    }
}

TEST(CudaEngine, IsPassedOverByAuto) {
    EngineRegistry registry;
    registry.add(makeCudaEngine());
    EXPECT_EQ(registry.select("auto").name(), "cpu");
    ASSERT_NE(registry.find("cuda"), nullptr);
    EXPECT_THROW((void)registry.select("cuda"), Error);
}

} // namespace
} // namespace pollard
