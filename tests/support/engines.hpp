#pragma once

#include "cpu/cpu_engine.hpp"
#include "engine/engine_registry.hpp"
#ifdef POLLARD_TEST_CUDA
#include "cuda/cuda_engine.hpp"
#endif

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace pollard::testing {

// Suites that use this are compiled once per engine, into the executable of the engine's room.
#ifdef POLLARD_TEST_CUDA
inline constexpr const char* kTestedEngine = "cuda";
#else
inline constexpr const char* kTestedEngine = "cpu";
#endif

/// The CPU engine, and the tested one if it differs.
[[nodiscard]] inline EngineRegistry testedEngines() {
    EngineRegistry registry{makeCpuEngine()};
#ifdef POLLARD_TEST_CUDA
    registry.add(makeCudaEngine());
#endif
    return registry;
}

/// Parameters of a test for every engine, both trees and both connectivities.
using TreeParam = std::tuple<std::string, TreeKind, Connectivity>;

inline std::string nameOfTreeParam(const ::testing::TestParamInfo<TreeParam>& info) {
    const auto& [engine, kind, connectivity] = info.param;
    return engine + (kind == TreeKind::max ? "_max" : "_min") + (connectivity == Connectivity::four ? "_4" : "_8");
}

/// Opens sessions of the tested engine; skips if it is unavailable.
class EveryTree : public ::testing::TestWithParam<TreeParam> {
protected:
    void SetUp() override {
        const std::string reason = registry_.find(std::get<std::string>(GetParam()))->unusableReason();
        if (!reason.empty()) {
            GTEST_SKIP() << "engine '" << std::get<std::string>(GetParam()) << "': " << reason;
        }
    }
    [[nodiscard]] static TreeSpec spec() {
        return {std::get<TreeKind>(GetParam()), std::get<Connectivity>(GetParam()), {}};
    }
    /// A session with the tree of the image.
    [[nodiscard]] std::unique_ptr<Session> build(std::shared_ptr<const Image> image, int threads = 0) {
        auto session = registry_.select(std::get<std::string>(GetParam())).openSession({threads});
        session->open(std::move(image));
        session->buildTree(spec());
        return session;
    }

    EngineRegistry registry_ = testedEngines();
};

#define POLLARD_FOR_EVERY_TREE(Suite)                                                                                  \
    INSTANTIATE_TEST_SUITE_P(                                                                                          \
        All, Suite,                                                                                                    \
        ::testing::Combine(::testing::Values(std::string(pollard::testing::kTestedEngine)),                            \
                           ::testing::Values(pollard::TreeKind::max, pollard::TreeKind::min),                          \
                           ::testing::Values(pollard::Connectivity::four, pollard::Connectivity::eight)),              \
        pollard::testing::nameOfTreeParam)

} // namespace pollard::testing
