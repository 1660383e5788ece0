#include "gl/node_bits_texture.hpp"

#include <algorithm>
#include <cstddef>

namespace pollard::app {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t kRow = NodeBitsTexture::kWidth;

int rowsOf(const Words& words) { return static_cast<int>((words.size() + kRow - 1) / kRow); }

/// @param a,b of the same length
bool isRowEqual(const Words& a, const Words& b, int row) {
    const std::size_t first = static_cast<std::size_t>(row) * kRow;
    const std::size_t end = std::min(first + kRow, a.size());
    const auto at = [](const Words& words, std::size_t place) {
        return words.begin() + static_cast<std::ptrdiff_t>(place);
    };
    return std::equal(at(a, first), at(a, end), at(b, first));
}

} // namespace

bool NodeBitsTexture::load() {
    if (!wanted_ || wanted_->empty() || wanted_->size() * sizeof(std::uint32_t) > budget_) {
        destroy();
        return false;
    }
    if (wanted_ == there_) {
        return true;
    }
    const int rows = rowsOf(*wanted_);
    if (!reserve(rows)) {
        return false;
    }
    const auto isThere = [&](int row) {
        return there_ && there_->size() == wanted_->size() && isRowEqual(*there_, *wanted_, row);
    };
    glBindTexture(GL_TEXTURE_2D, texture_);
    for (int row = 0; row < rows; ++row) {
        const int first = row;
        while (row < rows && !isThere(row)) {
            ++row;
        }
        if (first < row) {
            copyRows(first, row);
        }
    }
    glBindTexture(GL_TEXTURE_2D, 0);
    there_ = wanted_;
    return true;
}

void NodeBitsTexture::copyRows(int first, int end) {
    const auto copy = [&](int from, int width, int height) {
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, from, width, height, GL_RED_INTEGER, GL_UNSIGNED_INT,
                        wanted_->data() + static_cast<std::size_t>(from) * kRow);
        copiedBytes_ += static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height) * sizeof(std::uint32_t);
    };
    const int whole = std::min(end, static_cast<int>(wanted_->size() / kRow));
    if (first < whole) {
        copy(first, kWidth, whole - first);
    }
    if (whole < end) { // partly filled last row
        copy(whole, static_cast<int>(wanted_->size() % kRow), 1);
    }
}

bool NodeBitsTexture::reserve(int rows) {
    if (!ready_) {
        initializeOpenGLFunctions();
        ready_ = true;
    }
    if (texture_ != 0 && rows_ == rows) {
        return true;
    }
    destroy();
    while (glGetError() != GL_NO_ERROR) {
        // clears older errors, which could be taken for a refused texture
    }
    glGenTextures(1, &texture_);
    glBindTexture(GL_TEXTURE_2D, texture_);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 0);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_R32UI, kWidth, rows, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, nullptr);
    glBindTexture(GL_TEXTURE_2D, 0);
    rows_ = rows;
    if (glGetError() != GL_NO_ERROR) {
        destroy();
    }
    return texture_ != 0;
}

void NodeBitsTexture::destroy() {
    if (texture_ != 0) {
        glDeleteTextures(1, &texture_);
        texture_ = 0;
    }
    there_.reset();
}

} // namespace pollard::app
