#pragma once

#include <QObject>
#include <QPointer>

namespace pollard::vm {
class EditHistory;
}

namespace pollard::app {

/// Groups edits for the history: all edits between press and release of a button, while a key is held, or while the
/// wheel turns over one control are one entry.
class EditGestures : public QObject {
    Q_OBJECT

public:
    /// Filters all events of the program. @param history must outlive this
    explicit EditGestures(vm::EditHistory& history, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void begin();
    void endLater();

    vm::EditHistory& history_;
    QPointer<QObject> wheeled_; ///< the control under the turning wheel
};

} // namespace pollard::app
