#pragma once

#include <memory>
#include <vector>

namespace pollard::vm {

/// Lets go of what a document held, on another thread when it is destroyed itself: giving hundreds of megabytes back
/// to the system takes longer than the window may stand still. Make one before the data is replaced.
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
