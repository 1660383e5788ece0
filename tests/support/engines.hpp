#pragma once

#include "engine/engine_registry.hpp"

#include <gtest/gtest.h>

#include <string>
#include <tuple>

namespace pollard::testing {

/// Parameters of a test that runs on every engine, for both trees and both connectivities.
using TreeParam = std::tuple<std::string, TreeKind, Connectivity>;

inline std::string nameOfTreeParam(const ::testing::TestParamInfo<TreeParam>& info) {
    const auto& [engine, kind, connectivity] = info.param;
    return engine + (kind == TreeKind::max ? "_max" : "_min") + (connectivity == Connectivity::four ? "_4" : "_8");
}

/// Opens sessions of the engine the test is run for.
class EveryTree : public ::testing::TestWithParam<TreeParam> {
protected:
    [[nodiscard]] static TreeSpec spec() {
        return {std::get<TreeKind>(GetParam()), std::get<Connectivity>(GetParam()), {}};
    }
    /// A session in which the tree of the image is built.
    [[nodiscard]] std::unique_ptr<Session> build(std::shared_ptr<const Image> image, int threads = 0) {
        auto session = registry_.select(std::get<std::string>(GetParam())).openSession({threads});
        session->openImage(std::move(image));
        session->buildTree(spec());
        return session;
    }

    EngineRegistry registry_;
};

#define POLLARD_FOR_EVERY_TREE(Suite)                                                                                  \
    INSTANTIATE_TEST_SUITE_P(                                                                                          \
        All, Suite,                                                                                                    \
        ::testing::Combine(::testing::Values(std::string("cpu")),                                                      \
                           ::testing::Values(pollard::TreeKind::max, pollard::TreeKind::min),                          \
                           ::testing::Values(pollard::Connectivity::four, pollard::Connectivity::eight)),              \
        pollard::testing::nameOfTreeParam)

} // namespace pollard::testing
