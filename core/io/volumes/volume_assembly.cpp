#include "io/volumes/volume_assembly.hpp"

#include "base/parallel.hpp"
#include "image/mask_runs.hpp"

#include <algorithm>
#include <cstring>

namespace pollard {

namespace {

/// Rows of blocks in a task.
constexpr std::size_t kRowsPerTask = 16;

std::uint32_t blocksIn(std::uint32_t voxels, std::uint32_t side) noexcept { return (voxels - 1) / side + 1; }

} // namespace

VolumeAssembly::VolumeAssembly(PixelType type, const Extent& voxels, std::uint32_t side)
    : voxels_(voxels), side_(side), volume_(std::make_shared<Image>(type, extentOf(voxels, side))) {
    if (side > 1) {
        sums_.assign(volume_->extent().slicePixels(), 0);
    }
}

Extent VolumeAssembly::extentOf(const Extent& voxels, std::uint32_t side) noexcept {
    return {blocksIn(voxels.width, side), blocksIn(voxels.height, side), blocksIn(voxels.slices, side)};
}

void VolumeAssembly::add(std::uint32_t z, const Image& slice, const Mask* valid, const JobControl& control) {
    if (side_ == 1) {
        copy(z, slice, valid);
        return;
    }
    const Extent& blocks = volume_->extent();
    if (valid != nullptr && validSums_.empty()) {
        validSums_ = sums_;
        validCounts_.resize(sums_.size());
        for (std::size_t i = 0; i < validCounts_.size(); ++i) {
            validCounts_[i] = blockVoxels(static_cast<std::uint32_t>(i % blocks.width),
                                          static_cast<std::uint32_t>(i / blocks.width), slices_);
        }
    }
    dispatch(slice.type(), [&]<class T>(T) {
        forEachIndex(
            blocks.height, control, [&](std::size_t row) { addRow<T>(static_cast<std::uint32_t>(row), slice, valid); },
            kRowsPerTask);
        ++slices_;
        if (slices_ < side_ && z + 1 < voxels_.slices) {
            return;
        }
        forEachIndex(
            blocks.height, control, [&](std::size_t row) { finishRow<T>(static_cast<std::uint32_t>(row), z / side_); },
            kRowsPerTask);
        slices_ = 0;
        std::ranges::fill(sums_, 0);
        validSums_.clear();
        validCounts_.clear();
    });
}

std::shared_ptr<const Mask> VolumeAssembly::valid() const {
    return mask_ && mask_->count() < volume_->pixelCount() ? mask_ : nullptr;
}

void VolumeAssembly::copy(std::uint32_t z, const Image& slice, const Mask* valid) {
    std::memcpy(volume_->data() + z * slice.bytes(), slice.data(), slice.bytes());
    for (std::uint32_t y = 0; valid != nullptr && y < voxels_.height; ++y) {
        forEachRun(*valid, y, false, [&](std::uint32_t first, std::uint32_t last) {
            addGap(first, last, std::size_t{z} * voxels_.height + y);
        });
    }
}

template <class T> void VolumeAssembly::addRow(std::uint32_t row, const Image& slice, const Mask* valid) {
    const std::size_t width = volume_->width();
    std::uint64_t* const sums = sums_.data() + row * width;
    const bool hasGaps = !validSums_.empty();
    std::uint64_t* const validSums = hasGaps ? validSums_.data() + row * width : nullptr;
    std::uint64_t* const validCounts = hasGaps ? validCounts_.data() + row * width : nullptr;
    const std::uint32_t bottom = row * side_ + std::min(side_, voxels_.height - row * side_);
    for (std::uint32_t y = row * side_; y < bottom; ++y) {
        const T* const levels = slice.pixels<T>().data() + std::size_t{y} * voxels_.width;
        const auto forBlocks = [&](std::uint32_t first, std::uint32_t last, const auto& take) {
            while (first < last) {
                const std::uint32_t block = first / side_;
                const auto end =
                    static_cast<std::uint32_t>(std::min<std::uint64_t>((block + std::uint64_t{1}) * side_, last));
                std::uint64_t sum = 0;
                for (std::uint32_t x = first; x < end; ++x) {
                    sum += levels[x];
                }
                take(block, sum, end - first);
                first = end;
            }
        };
        const auto addValid = [&](std::uint32_t block, std::uint64_t sum, std::uint32_t count) {
            validSums[block] += sum;
            validCounts[block] += count;
        };
        forBlocks(0, voxels_.width, [&](std::uint32_t block, std::uint64_t sum, std::uint32_t count) {
            sums[block] += sum;
            if (hasGaps && valid == nullptr) {
                addValid(block, sum, count);
            }
        });
        if (valid != nullptr) {
            forEachRun(*valid, y, true,
                       [&](std::uint32_t first, std::uint32_t last) { forBlocks(first, last, addValid); });
        }
    }
}

template <class T> void VolumeAssembly::finishRow(std::uint32_t row, std::uint32_t layer) {
    const Extent& blocks = volume_->extent();
    const std::size_t volumeRow = std::size_t{layer} * blocks.height + row;
    T* const out = volume_->pixels<T>().data() + volumeRow * blocks.width;
    for (std::uint32_t x = 0; x < blocks.width; ++x) {
        const std::size_t block = std::size_t{row} * blocks.width + x;
        std::uint64_t sum = sums_[block];
        std::uint64_t count = blockVoxels(x, row, slices_);
        if (!validSums_.empty() && validCounts_[block] > 0) {
            sum = validSums_[block];
            count = validCounts_[block];
        } else if (!validSums_.empty()) {
            addGap(x, x + 1, volumeRow);
        }
        out[x] = static_cast<T>((2 * sum + count) / (2 * count));
    }
}

void VolumeAssembly::addGap(std::uint32_t first, std::uint32_t last, std::size_t row) {
    {
        const std::scoped_lock lock(mutex_);
        if (!mask_) {
            mask_ =
                std::make_shared<Mask>(volume_->width(), static_cast<std::uint32_t>(volume_->extent().rows()), true);
        }
    }
    mask_->setRun(first, last, static_cast<std::uint32_t>(row), false);
}

std::uint64_t VolumeAssembly::blockVoxels(std::uint32_t x, std::uint32_t y, std::uint32_t slices) const noexcept {
    return std::uint64_t{std::min(side_, voxels_.width - x * side_)} * std::min(side_, voxels_.height - y * side_) *
           slices;
}

} // namespace pollard
