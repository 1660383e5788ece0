#pragma once

#include <QObject>

class QWidget;

namespace pollard::app {

/// Lets combo boxes find their entries by the first letter: the focused one gets letters that are shortcuts of the
/// window.
class LetterSearch : public QObject {
public:
    /// @param window whose combo boxes are handled, and that owns this
    explicit LetterSearch(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const QWidget& window_;
};

} // namespace pollard::app
