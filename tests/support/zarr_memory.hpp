#pragma once

#include "base/error.hpp"
#include "formats/zarr/zarr_store.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>

namespace pollard::test {

/// A Zarr store in memory that counts.
class MemoryStore final : public ZarrStore {
public:
    std::map<std::string, std::string> values;
    mutable std::atomic<int> found{0};           ///< values that were asked for and are there
    mutable std::atomic<int> missing{0};         ///< and are not there
    mutable std::atomic<std::uint64_t> bytes{0}; ///< that were read

    std::unique_ptr<ZarrValue> find(const std::string& key) const override {
        const auto at = values.find(key);
        ++(at == values.end() ? missing : found);
        return at == values.end() ? nullptr : std::make_unique<Value>(at->second, bytes);
    }

private:
    class Value final : public ZarrValue {
    public:
        Value(const std::string& value, std::atomic<std::uint64_t>& bytes) : value_(value), bytes_(bytes) {}

        std::uint64_t size() const noexcept override { return value_.size(); }
        void read(std::uint64_t position, std::span<std::byte> out) const override {
            if (position > value_.size() || out.size() > value_.size() - position) {
                throw Error(ErrorCode::fileDamaged, "read beyond the end of a value");
            }
            bytes_ += out.size();
            std::copy_n(reinterpret_cast<const std::byte*>(value_.data()) + position, out.size(), out.data());
        }

    private:
        const std::string& value_;
        std::atomic<std::uint64_t>& bytes_;
    };
};

} // namespace pollard::test
