#pragma once

#include <memory>
#include <vector>

namespace pollard::vm {

/// Releases data of a document on another thread in its destructor: freeing hundreds of megabytes would block the
/// window. Create one before the data is replaced.
class RetiredData {
public:
    void hold(std::shared_ptr<const void> data) { held_.push_back(std::move(data)); }

    RetiredData() = default;
    RetiredData(RetiredData&&) noexcept = default;
    RetiredData& operator=(RetiredData&&) = delete;
    RetiredData(const RetiredData&) = delete;
    RetiredData& operator=(const RetiredData&) = delete;
    ~RetiredData();

private:
    std::vector<std::shared_ptr<const void>> held_;
};

} // namespace pollard::vm
