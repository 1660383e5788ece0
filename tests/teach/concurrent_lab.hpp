#pragma once

#include "support/affordable.hpp"
#include "teach/tree_lab.hpp"

#include <algorithm>

// Common parts of the tests of players with virtual threads.

namespace pollard::testing {

[[nodiscard]] inline teach::PlayerSpec specByHand(Random& random) {
    teach::PlayerSpec spec;
    spec.kind = random() % 2 == 0 ? TreeKind::max : TreeKind::min;
    spec.connectivity = random() % 2 == 0 ? Connectivity::four : Connectivity::eight;
    spec.tileSide = 2U << random() % 3;
    spec.threads = 2 + random() % 7;
    spec.turns = teach::Turns::byHand;
    return spec;
}

/// Random choices, as long as the player asks for them, end in the engine's tree.
inline void expectEveryChoiceLeadsToTheTree(const teach::PlayerInfo& player) {
    Random random(23);
    for (std::uint32_t i = 0; i < affordable(200); ++i) {
        teach::PlayerSpec spec = specByHand(random);
        for (std::uint32_t choice = 0; choice < 20'000; ++choice) {
            spec.hand.push_back(static_cast<std::uint8_t>(random() % spec.threads)); // also threads that have ended
        }
        const teach::LabImage image = randomLab(random);
        ASSERT_TRUE(player.record(image, spec).choices.empty());
        ASSERT_NO_FATAL_FAILURE(expectEngineParents(player, image, spec));
    }
}

/// Choices one by one: earlier steps stay, and each offered choice adds steps, until the end.
inline void expectChoicesWhereTheyEnd(const teach::PlayerInfo& player) {
    Random random(29);
    std::uint32_t asked = 0;
    for (std::uint32_t i = 0; i < 30; ++i) {
        teach::PlayerSpec spec = specByHand(random);
        const teach::LabImage image = labOf(*randomImage(random, 1 + random() % 7, 1 + random() % 7));
        teach::Trace trace = player.record(image, spec);
        while (!trace.choices.empty()) {
            ++asked;
            ASSERT_GE(trace.choices.size(), 2U) << "one thread alone is no choice";
            ASSERT_TRUE(std::ranges::is_sorted(trace.choices));
            ASSERT_LT(trace.choices.back(), spec.threads);
            const std::uint8_t chosen = trace.choices[random() % trace.choices.size()];
            spec.hand.push_back(chosen);
            const teach::Trace further = player.record(image, spec);
            ASSERT_GT(further.steps.size(), trace.steps.size()) << player.id;
            ASSERT_EQ(further.steps[trace.steps.size()].thread, chosen) << player.id;
            ASSERT_GE(further.changes.size(), trace.changes.size());
            ASSERT_TRUE(std::equal(trace.changes.begin(), trace.changes.end(), further.changes.begin()));
            trace = further;
        }
        ASSERT_NO_FATAL_FAILURE(expectEngineParents(player, image, spec));
    }
    EXPECT_GT(asked, 100U);
}

/// Under some seeds another thread is faster; turns in order give equal traces.
inline void expectThreadsThatComeTooLate(const teach::PlayerInfo& player) {
    Random random(31);
    std::uint32_t late = 0;
    for (std::uint32_t i = 0; i < 40; ++i) {
        teach::PlayerSpec spec = specByHand(random);
        spec.tileSide = 2;
        spec.threads = 8;
        spec.turns = teach::Turns::random;
        spec.seed = random();
        const teach::Trace trace = player.record(labOf(*randomImage(random, 16, 16)), spec);
        for (std::size_t s = 0; s < trace.steps.size(); ++s) {
            const bool marked = std::any_of(trace.changes.begin() + trace.steps[s].firstChange,
                                            trace.changes.begin() + static_cast<std::ptrdiff_t>(trace.changesEnd(s)),
                                            [](const auto& change) {
                                                return change.layer == teach::Layer::mark &&
                                                       change.after == static_cast<std::int64_t>(teach::Mark::retried);
                                            });
            const bool told = std::string(trace.steps[s].text->caption).find("nother thread") != std::string::npos;
            ASSERT_EQ(marked, told) << trace.steps[s].text->caption;
            late += marked ? 1 : 0;
        }
    }
    EXPECT_GT(late, 0U) << player.id;
}

} // namespace pollard::testing
