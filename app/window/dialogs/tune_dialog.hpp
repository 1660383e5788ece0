#pragma once

#include "vm/recipe/tune_view_model.hpp"

#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QRectF>
#include <QTimer>
#include <QWidget>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

class QMainWindow;
class QSpinBox;

namespace pollard {
class EngineRegistry;
} // namespace pollard

namespace pollard::app {

struct Models;
class ValueBox;

/// F1 of the values of one number as a curve, of two numbers as a map. A click, or Return, takes a trial; the arrow
/// keys go from one to the next.
class TuneChart : public QWidget {
    Q_OBJECT

public:
    explicit TuneChart(QWidget* parent = nullptr);

    /// @param result null: nothing is shown
    void setResult(std::shared_ptr<const vm::TuneResult> result);
    /// The trial of the keyboard and of the last click; -1 without a result.
    [[nodiscard]] int current() const noexcept { return current_; }
    /// Where a trial is, px.
    [[nodiscard]] QRectF areaOf(int trial) const;

signals:
    void currentChanged(int trial);
    void taken(int trial);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] int count(std::size_t number) const; ///< of its values; 1 without the number
    void setCurrent(int trial);
    void paintCurve(QPainter& painter) const;
    void paintMap(QPainter& painter) const;

    std::shared_ptr<const vm::TuneResult> result_;
    int current_ = -1;
};

/// Tries values of one or two numbers of the recipe beside the truth, and takes the values of a trial.
class TuneDialog : public QDialog {
    Q_OBJECT

public:
    /// All must outlive this.
    TuneDialog(Models& models, vm::RecipeViewModel& recipe, const EngineRegistry& registry, QWidget* parent = nullptr);

protected:
    void hideEvent(QHideEvent* event) override;

private:
    /// A number with its values.
    struct Row {
        QComboBox* number;
        ValueBox* first;
        ValueBox* last;
        QSpinBox* count;
    };

    [[nodiscard]] Row makeRow(int number);
    void showProposal(const Row& row);
    void start();
    void showState();
    [[nodiscard]] QString trialText(int trial) const;
    [[nodiscard]] QString resultText() const;

    vm::TuneViewModel tune_;
    std::vector<vm::TuneRange> proposals_;
    std::array<Row, 2> rows_;
    QPushButton* start_;
    QProgressBar* progress_;
    TuneChart* chart_;
    QLabel* trial_;
    QLabel* text_;
    QTimer timer_; ///< shows the progress
};

/// Connects the score panel with the dialog. All must outlive the window.
void addTune(QMainWindow& window, Models& models, const EngineRegistry& registry);

} // namespace pollard::app
