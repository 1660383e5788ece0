#pragma once

#include <QObject>

class QWidget;

namespace pollard::app {

/// Choices find their entries by the first letter. Some letters are shortcuts of the window, which would win; with this
/// a choice that has the focus gets its letters.
class LetterSearch : public QObject {
public:
    /// @param window whose choices are meant, and that owns this
    explicit LetterSearch(QWidget& window);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    const QWidget& window_;
};

} // namespace pollard::app
