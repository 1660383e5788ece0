#pragma once

#include "cpu/cpu_engine.hpp"
#include "cuda/device/cuda_error.hpp"
#include "cuda/device/device_probe.hpp"
#include "cuda/session/cuda_session.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

namespace pollard::testing {

/// A test that needs a GPU; skips where there is none, and fails if a test before has lost it.
class OnGpu : public ::testing::Test {
protected:
    void SetUp() override {
        static bool hasWorked = false;
        const cuda::DeviceProbe probe = cuda::probeDevice();
        if (!probe.problem.empty()) {
            ASSERT_FALSE(hasWorked) << "the GPU was lost: " << probe.problem;
            GTEST_SKIP() << "no GPU: " << probe.problem;
        }
        hasWorked = true;
    }
};

[[nodiscard]] inline bool equalPixels(const Image& a, const Image& b) {
    return a.type() == b.type() && a.width() == b.width() && a.height() == b.height() &&
           std::equal(a.data(), a.data() + a.bytes(), b.data());
}

/// A session of the CPU engine with the tree of an image: the oracle.
[[nodiscard]] inline std::unique_ptr<Session> cpuSession(const std::shared_ptr<const Image>& image,
                                                         TreeKind kind = TreeKind::max,
                                                         Connectivity connectivity = Connectivity::four) {
    auto session = makeCpuEngine()->openSession();
    session->open(image);
    session->buildTree({kind, connectivity, {}});
    return session;
}

[[nodiscard]] inline FilterSpec areaAtLeast(double pixels) {
    FilterSpec spec;
    spec.criteria.push_back({AttributeId::area, pixels});
    return spec;
}

} // namespace pollard::testing
