#pragma once

#include "core/io/io_support.hpp"
#include "core/io/io_volume_files.hpp"

#include <cmath>
#include <gmock/gmock.h>
#include <limits>
#include <optional>
#include <type_traits>

namespace pollard::test {

/// Values over the range of the type, the first and the last one included, in an order that repeats nothing.
template <class T> std::vector<T> voxelsOf(std::size_t count) {
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) {
        if constexpr (std::is_floating_point_v<T>) {
            values.push_back(static_cast<T>(std::sin(static_cast<double>(i)) * 1000 - 3));
        } else {
            const std::uint64_t span = sizeof(T) < 8 ? (std::uint64_t{1} << (8 * sizeof(T))) - 1 : UINT64_MAX;
            const auto step = static_cast<std::uint64_t>(i) * (span / (count - 1));
            const std::uint64_t place = i + 1 == count ? span : step;
            values.push_back(static_cast<T>(static_cast<std::uint64_t>(std::numeric_limits<T>::min()) + place));
        }
    }
    return values;
}

/// Small integers on both sides of zero, which every type of more than 16 bits keeps exactly.
template <class T> std::vector<T> smallVoxels(std::size_t count, double first, double step) {
    std::vector<T> values;
    for (std::size_t i = 0; i < count; ++i) {
        values.push_back(static_cast<T>(first + step * static_cast<double>(i)));
    }
    return values;
}

struct VolumeShape {
    std::uint32_t width = 5;
    std::uint32_t height = 4;
    int pages = 3;

    [[nodiscard]] std::size_t pagePixels() const { return std::size_t{width} * height; }
    [[nodiscard]] std::size_t count() const { return pagePixels() * static_cast<std::size_t>(pages); }
};

/// Reads every page, and compares every voxel with @p value(index): integers that have levels of their own exactly,
/// others within half of a step. All pages must have one mapping.
/// @param exact of the mapping; not checked if unset
template <class Value> void expectVoxels(const std::filesystem::path& path, const VolumeShape& shape,
                                         const Value& value, std::optional<bool> exact, ReadOptions options = {}) {
    std::optional<ValueMapping> first;
    for (int page = 0; page < shape.pages; ++page) {
        options.page = page;
        const LoadedImage loaded = readImage(path, options);
        ASSERT_EQ(loaded.info.width, shape.width);
        ASSERT_EQ(loaded.info.height, shape.height);
        ASSERT_EQ(loaded.info.pages, shape.pages);
        ASSERT_EQ(loaded.info.page, page);
        const ValueMapping mapping = loaded.info.mapping.value_or(ValueMapping{0, 1, true});
        first = first.value_or(mapping);
        EXPECT_EQ(mapping.offset, first->offset) << page;
        EXPECT_EQ(mapping.step, first->step) << page;
        const bool isStated = mapping.ranks || mapping.file.first;
        EXPECT_EQ(mapping.exact, isStated || exact.value_or(mapping.exact)) << page;
        for (std::size_t i = 0; i < shape.pagePixels(); ++i) {
            const double wanted = value(static_cast<std::size_t>(page) * shape.pagePixels() + i);
            const double found = mapping.valueOf(loaded.image->level(i));
            if (exact.value_or(false) || isStated) {
                ASSERT_EQ(found, wanted) << "page " << page << ", pixel " << i;
            } else {
                ASSERT_NEAR(found, wanted, std::abs(mapping.step) * 0.51) << "page " << page << ", pixel " << i;
            }
        }
    }
}

/// Whether values that span the whole type have a level each.
template <class T> constexpr bool hasOwnLevels() { return std::is_integral_v<T> && sizeof(T) <= 2; }

/// Calls @p check with a value of each type of samples.
template <class Check> void forEachSampleType(const Check& check) {
    check(std::uint8_t{});
    check(std::int8_t{});
    check(std::uint16_t{});
    check(std::int16_t{});
    check(std::uint32_t{});
    check(std::int32_t{});
    check(std::uint64_t{});
    check(std::int64_t{});
    check(float{});
    check(double{});
}

/// Cuts the file at every length: each must be refused, or read as the whole one if only padding is missing.
inline void expectPrefixesRefused(const TempDir& dir, const std::string& name, const std::string& bytes) {
    writeBytes(dir / name, bytes);
    const auto expected = levelsOf(*readImage(dir / name).image);
    for (std::size_t length = 0; length < bytes.size(); ++length) {
        writeBytes(dir / ("cut-" + name), bytes.substr(0, length));
        try {
            ASSERT_EQ(levelsOf(*readImage(dir / ("cut-" + name)).image), expected) << length << " of " << bytes.size();
        } catch (const Error& error) {
            ASSERT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        }
    }
}

inline std::string factOf(const ImageInfo& info, const std::string& name) {
    for (const auto& [fact, text] : info.facts) {
        if (fact == name) {
            return text;
        }
    }
    return {};
}

} // namespace pollard::test
