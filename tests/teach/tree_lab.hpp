#pragma once

#include "cpu/cpu_engine.hpp"
#include "engine/engine.hpp"
#include "player/player.hpp"
#include "support/random_images.hpp"
#include "trace/trace.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace pollard::testing {

inline teach::LabImage labOf(const Image& image) {
    teach::LabImage lab{image.width(), image.height(), {}};
    for (std::size_t p = 0; p < image.pixelCount(); ++p) {
        lab.levels.push_back(image.level(p));
    }
    return lab;
}

/// An image of any allowed size.
inline teach::LabImage randomLab(Random& random) {
    const std::uint32_t width = 1 + random() % teach::kLabSide;
    const std::uint32_t height = 1 + random() % teach::kLabSide;
    return labOf(*randomImage(random, width, height));
}

/// The parent image of the CPU engine.
inline std::vector<std::int64_t> engineParents(const teach::LabImage& image, TreeKind kind, Connectivity connectivity) {
    static const auto session = makeCpuEngine()->openSession();
    session->open(std::make_shared<const Image>(teach::imageOf(image)));
    TreeSpec spec;
    spec.kind = kind;
    spec.connectivity = connectivity;
    session->buildTree(spec);
    const auto parents = canonicalParentImage(*session->tree());
    return {parents.data(), parents.data() + parents.size()};
}

/// The end of a player's trace must be the engine's parent image.
inline void expectEngineParents(const teach::PlayerInfo& player, const teach::LabImage& image,
                                const teach::PlayerSpec& spec) {
    teach::TraceCursor cursor(std::make_shared<const teach::Trace>(player.record(image, spec)));
    cursor.moveTo(cursor.trace().steps.size());
    ASSERT_EQ(cursor.layer(teach::Layer::parent), engineParents(image, spec.kind, spec.connectivity))
        << player.id << ", " << image.width << " x " << image.height << ", seed " << spec.seed;
}

/// Many images, both trees, both connectivities, and random values of the player's other settings.
inline void expectEngineParentsOfRandomImages(const teach::PlayerInfo& player, std::uint32_t images) {
    Random random(17);
    for (std::uint32_t i = 0; i < images; ++i) {
        teach::PlayerSpec spec;
        spec.kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
        spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
        spec.tileSide = 2U << random() % 3;
        spec.threads = 2 + random() % 7;
        spec.turns = random() % 4 == 0 ? teach::Turns::inOrder : teach::Turns::random;
        spec.seed = random();
        ASSERT_NO_FATAL_FAILURE(expectEngineParents(player, randomLab(random), spec));
    }
}

} // namespace pollard::testing
