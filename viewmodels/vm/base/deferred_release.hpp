#pragma once

#include <memory>
#include <vector>

namespace pollard::vm {

/// Releases data of a document on another thread in its destructor: freeing hundreds of megabytes would block the
/// window. Create one before the data is replaced.
class DeferredRelease {
public:
    void hold(std::shared_ptr<const void> data) { held_.push_back(std::move(data)); }

    DeferredRelease() = default;
    DeferredRelease(DeferredRelease&&) noexcept = default;
    DeferredRelease& operator=(DeferredRelease&&) = delete;
    DeferredRelease(const DeferredRelease&) = delete;
    DeferredRelease& operator=(const DeferredRelease&) = delete;
    ~DeferredRelease();

private:
    std::vector<std::shared_ptr<const void>> held_;
};

} // namespace pollard::vm
