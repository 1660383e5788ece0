#pragma once

#include <QList>
#include <QString>
#include <QWidget>

class QToolButton;

namespace pollard::app {

class ElidedLabel;

/// Options that are seldom changed, below a heading that folds them and then names their values. The settings keep
/// whether they are folded.
class MoreOptions : public QWidget {
    Q_OBJECT

public:
    /// @param name object name, and key of the settings
    /// @param options controls inside @p content whose values the folded heading names: choices, numbers, check boxes
    MoreOptions(const QString& name, QWidget* content, const QList<QWidget*>& options, QWidget* parent = nullptr);

    [[nodiscard]] bool isFolded() const noexcept { return folded_; }
    void setFolded(bool folded);
    /// For changes of the options without a signal.
    void showValues();

private:
    QList<QWidget*> options_;
    QWidget* content_;
    QToolButton* heading_;
    ElidedLabel* values_;
    bool folded_ = true;
};

} // namespace pollard::app
