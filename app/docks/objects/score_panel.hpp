#pragma once

#include "vm/labels/score_view_model.hpp"

#include <QCheckBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QList>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QWidget>

#include <functional>
#include <utility>

namespace pollard::vm {
class DisplayViewModel;
class DocumentViewModel;
} // namespace pollard::vm

namespace pollard::app {

/// The objects beside the truth: its file, the scores, and a list of the errors. While it is shown, the score follows
/// the objects.
class ScorePanel : public QWidget {
    Q_OBJECT

public:
    /// All must outlive this.
    ScorePanel(vm::ScoreViewModel& score, const vm::DocumentViewModel& document, vm::DisplayViewModel& display,
               QWidget* parent = nullptr);

signals:
    /// Requests values of numbers tried beside the truth.
    void tuneRequested();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    using TextOf = std::function<QString(const vm::ObjectScore& score)>;

    void makeNumbers();
    void makeTable();
    void addNumber(const char* objectName, const QString& toolTip, TextOf text);
    void choose();
    void visit(int row);
    void showState();

    vm::ScoreViewModel& score_;
    const vm::DocumentViewModel& document_;
    vm::DisplayViewModel& display_;
    vm::ScoreErrorModel model_;
    QLineEdit* truth_;
    QToolButton* choose_;
    QDoubleSpinBox* threshold_;
    QLabel* text_; ///< what is missing, or why there is no score
    QWidget* numbers_;
    QList<std::pair<QLabel*, TextOf>> texts_;
    QCheckBox* colours_;
    QPushButton* tune_;
    QTableView* view_;
};

} // namespace pollard::app
