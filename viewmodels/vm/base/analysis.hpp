#pragma once

#include "vm/base/change.hpp"

#include <QObject>

namespace pollard::vm {

/// An analysis of the tree that is computed while its panel is seen.
class Analysis : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    [[nodiscard]] bool isActive() const noexcept { return active_; }
    /// Whether nothing is being computed.
    [[nodiscard]] virtual bool rests() const = 0;

public slots:
    /// The panel is seen; until then nothing is computed.
    void setActive(bool active) { change(this, active_, active, &Analysis::onActive); }

signals:
    void changed(); ///< state or result

private:
    virtual void onActive() = 0; ///< isActive() has changed

    bool active_ = false;
};

} // namespace pollard::vm
