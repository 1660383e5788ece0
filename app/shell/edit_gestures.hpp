#pragma once

#include <QObject>
#include <QPointer>

namespace pollard::vm {
class EditHistory;
}

namespace pollard::app {

/// Tells the history what a person does in one go: all edits between press and release of a button, while a key is
/// held, or while the wheel turns over one control are one entry.
class EditGestures : public QObject {
    Q_OBJECT

public:
    /// Sees all events of the program. @param history must outlive this
    explicit EditGestures(vm::EditHistory& history, QObject* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void begin();
    void endLater();

    vm::EditHistory& history_;
    QPointer<QObject> wheeled_; ///< the control whose wheel turns
};

} // namespace pollard::app
