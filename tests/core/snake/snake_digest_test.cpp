// Digests of runs: optimisations of the snake must keep all states.

#include "core/snake/snake_support.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace pollard::testing {
namespace {

/// An ellipse and a box in noise, from integers only: the same on every machine.
std::shared_ptr<const Image> objectsInNoise(PixelType type) {
    Random random(501);
    return makeImage(type, 220, 180, [&](auto x, auto y) {
        const std::int64_t dx = std::int64_t{x} - 90;
        const std::int64_t dy = std::int64_t{y} - 100;
        const bool in = dx * dx * 2 + dy * dy * 3 < 7000 || (x > 100 && x < 180 && y > 40 && y < 80);
        std::uint32_t noise = 0;
        for (int i = 0; i < 4; ++i) {
            noise += random() % 32;
        }
        return (in ? 80 : 40) + noise;
    });
}

/// FNV-1a over the nodes of all states.
struct Digest {
    std::uint64_t value = 0xcbf29ce484222325U;
    std::uint64_t states = 0;

    void add(const SnakeState& state) {
        ++states;
        const auto addNumber = [this](std::int32_t number) {
            for (int shift = 0; shift < 32; shift += 8) {
                value = (value ^ (static_cast<std::uint32_t>(number) >> shift & 0xffU)) * 0x100000001b3U;
            }
        };
        for (const ContourNode node : state.nodes) {
            addNumber(node.x);
            addNumber(node.y);
        }
        addNumber(static_cast<std::int32_t>(state.nodes.size()));
    }
    bool operator==(const Digest&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Digest& digest) {
    return out << std::hex << "0x" << digest.value << std::dec << ", " << digest.states;
}

Digest digestOf(PixelType type, SnakeMoves moves, RegionLaw law, std::uint32_t minLength) {
    SnakeSpec spec;
    spec.moves = moves;
    spec.law = law;
    spec.minLength = minLength;
    SnakeRun run(std::make_shared<const RowSums>(objectsInNoise(type)), rectangle(20, 20, 200, 165), spec);
    Digest digest;
    do {
        digest.add(run.state());
    } while (run.advance());
    return digest;
}

TEST(SnakeDigest, OfAllMovesStays) {
    const auto of = [](SnakeMoves moves) { return digestOf(PixelType::u16, moves, RegionLaw::gaussian, 6); };
    EXPECT_EQ(of(SnakeMoves::sequential), (Digest{0x26b92deee9ce705f, 290}));
    EXPECT_EQ(of(SnakeMoves::parity), (Digest{0xb4c102a2f121fe6a, 156}));
    EXPECT_EQ(of(SnakeMoves::localBest), (Digest{0xe84c1da94f4822c4, 86}));
}

TEST(SnakeDigest, OfAllLawsStays) {
    const auto of = [](RegionLaw law) { return digestOf(PixelType::u8, SnakeMoves::localBest, law, 3); };
    EXPECT_EQ(of(RegionLaw::gaussian), (Digest{0x23399dbc0bc7955, 102}));
    EXPECT_EQ(of(RegionLaw::poisson), (Digest{0xfecd750b0242536f, 118}));
    EXPECT_EQ(of(RegionLaw::gamma), (Digest{0x2b826eed79f045f2, 111}));
    EXPECT_EQ(of(RegionLaw::rayleigh), (Digest{0xb841c6959a0ac34b, 113}));
}

} // namespace
} // namespace pollard::testing
