#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

class QAction;
class QVBoxLayout;

namespace pollard::app {

/// In place of missing content: a sentence on the purpose of the part, and buttons that start it.
class EmptyState : public QWidget {
    Q_OBJECT

public:
    /// @param objectName of the sentence
    explicit EmptyState(const QString& objectName, QWidget* parent = nullptr);

    void setText(const QString& text) { text_->setText(text); }
    [[nodiscard]] QString text() const { return text_->text(); }
    /// Adds a button for an action, enabled while the action is.
    QPushButton* addButton(QAction& action);
    QPushButton* addButton(const QString& objectName, const QString& text, const QString& toolTip);

private:
    QLabel* text_;
    QVBoxLayout* column_;
};

} // namespace pollard::app
