#pragma once

#include "parts/part_folder.hpp"

namespace pollard {

/// Removes the working folder unless it is to stay.
class FolderGuard {
public:
    explicit FolderGuard(PartFolder& folder) : folder_(folder) {}
    ~FolderGuard() {
        if (removes_) {
            folder_.remove();
        }
    }
    FolderGuard(const FolderGuard&) = delete;
    FolderGuard& operator=(const FolderGuard&) = delete;
    void keepOnFailure() noexcept { removes_ = false; }
    void finish() noexcept { removes_ = true; }

private:
    PartFolder& folder_;
    bool removes_ = true;
};

} // namespace pollard
