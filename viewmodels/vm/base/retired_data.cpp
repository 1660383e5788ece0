#include "vm/base/retired_data.hpp"

#include <QThreadPool>

namespace pollard::vm {

RetiredData::~RetiredData() {
    if (!held_.empty()) {
        QThreadPool::globalInstance()->start([held = std::move(held_)]() mutable { held.clear(); });
    }
}

} // namespace pollard::vm
