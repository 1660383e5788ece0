#include "vm/base/deferred_release.hpp"

#include <QThreadPool>

namespace pollard::vm {

DeferredRelease::~DeferredRelease() {
    if (!held_.empty()) {
        QThreadPool::globalInstance()->start([held = std::move(held_)]() mutable { held.clear(); });
    }
}

} // namespace pollard::vm
