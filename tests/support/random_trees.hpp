#pragma once

#include "cpu/cpu_engine.hpp"
#include "support/random_images.hpp"

#include <gtest/gtest.h>

#include <memory>

namespace pollard::testing {

/// Tree of the CPU engine.
inline std::shared_ptr<const ComponentTree> treeOf(const std::shared_ptr<const Image>& image, TreeKind kind,
                                                   Connectivity connectivity) {
    auto session = makeCpuEngine()->openSession();
    session->open(image);
    TreeSpec spec;
    spec.kind = kind;
    spec.connectivity = connectivity;
    session->buildTree(spec);
    return session->tree();
}

/// Calls check(image, tree, random) with trees of both kinds and connectivities, of images of up to 12 x 12 px.
template <class Check> void onRandomTrees(int count, const Check& check) {
    Random random(31);
    for (int i = 0; i < count; ++i) {
        const auto image = randomImage(random, 1 + random() % 12, 1 + random() % 12);
        const auto kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        const auto connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        SCOPED_TRACE(i);
        check(*image, *treeOf(image, kind, connectivity), random);
    }
}

} // namespace pollard::testing
