#pragma once

#include "base/error.hpp"
#include "io/image_file.hpp"
#include "support/temp_dir.hpp"

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace pollard::test {

inline std::string readBytes(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void writeBytes(const std::filesystem::path& path, const std::string& bytes) {
    std::filesystem::remove(path); // overwriting an old file makes some file systems wait for the disk
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

inline std::vector<std::uint16_t> levelsOf(const Image& image) {
    std::vector<std::uint16_t> levels(image.pixelCount());
    for (std::size_t i = 0; i < levels.size(); ++i) {
        levels[i] = image.level(i);
    }
    return levels;
}

/// Reproducible samples over the whole bit depth, with runs for the codecs.
inline std::vector<std::uint16_t> testSamples(std::size_t count, int bits, std::uint32_t seed = 1) {
    std::mt19937 random(seed);
    const std::uint32_t mask = (1U << bits) - 1;
    std::vector<std::uint16_t> samples;
    samples.reserve(count);
    while (samples.size() < count) {
        const auto value = static_cast<std::uint16_t>(random() & mask);
        for (std::uint64_t run = random() % 6 + 1; run > 0 && samples.size() < count; --run) {
            samples.push_back(value);
        }
    }
    return samples;
}

/// Code of the Error from reading, or nothing on success.
inline std::optional<ErrorCode> readFailure(const std::filesystem::path& path, const ReadOptions& options = {},
                                            std::string* message = nullptr) {
    try {
        (void)readImage(path, options);
        return std::nullopt;
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find(path.string()), std::string::npos) << error.what();
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        if (message != nullptr) {
            *message = error.what();
        }
        return error.code();
    }
}

inline ReadOptions withChannel(int sample) {
    ReadOptions options;
    options.channel = {ChannelChoice::Kind::sample, sample};
    return options;
}

} // namespace pollard::test

namespace pollard {
inline void PrintTo(ErrorCode code, std::ostream* out) { *out << "ErrorCode " << static_cast<int>(code); }
} // namespace pollard
