#pragma once

#include "snake/region_law.hpp"
#include "vm/contour/contour_laws.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QImage>
#include <QPixmap>
#include <QSpinBox>
#include <QString>
#include <QToolButton>
#include <QWidget>

#include <array>

namespace pollard {
struct SnakeSpec;
}

namespace pollard::vm {
class ContourViewModel;
class DisplayViewModel;
} // namespace pollard::vm

namespace pollard::app {

class ElidedLabel;
class MoreOptions;
struct Models;

/// Small images of the contours that each law of the levels finds from the starts of the current run, in the tone of
/// the canvas. A click makes the contours of a law the current run. Hidden without a run.
class LawThumbnails : public QWidget {
    Q_OBJECT

public:
    /// @param contours,display must outlive this
    LawThumbnails(vm::ContourViewModel& contours, vm::DisplayViewModel& display, QWidget* parent = nullptr);

    [[nodiscard]] const vm::ContourLaws& laws() const noexcept { return laws_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void showLaws();
    void showTone();
    [[nodiscard]] QString messageText() const;
    [[nodiscard]] QString textOf(const vm::LawContours& found, bool isChosen) const;
    [[nodiscard]] QPixmap imageOf(const QImage& grey, const vm::LawContours& found) const;

    vm::ContourViewModel& contours_;
    vm::DisplayViewModel& display_;
    vm::ContourLaws laws_;
    ElidedLabel* message_;
    std::array<QToolButton*, kRegionLaws.size()> buttons_{};
};

/// The area that contours must not contain: a brush, and other sources of its pixels.
class ForbiddenControls : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit ForbiddenControls(Models& models, QWidget* parent = nullptr);

signals:
    /// Requests reading the area from an image.
    void imageRequested();

private:
    QToolButton* makeMenu();
    void showState();

    Models& models_;
    QAction* fromSelection_ = nullptr;
    QAction* clear_ = nullptr;
};

/// Parameters of a contour: search distance, law, moves, engine, lengths and limits.
class ContourControls : public QWidget {
    Q_OBJECT

public:
    /// @param contours must outlive this
    explicit ContourControls(vm::ContourViewModel& contours, QWidget* parent = nullptr);

private:
    void makeChoices();
    void makeLengths();
    void makeReach();
    void applyEngine();
    void applyReach();
    void showEngines();
    void showReach();
    template <class Control, class Value> void coupleSpec(Control* control, Value SnakeSpec::*member);
    void coupleLaw();
    void showAutomatic();

    vm::ContourViewModel& contours_;
    QComboBox* reach_;
    QSpinBox* margin_;
    QComboBox* law_;
    QComboBox* moves_;
    QComboBox* engine_;
    QComboBox* maxStep_;
    QSpinBox* minLength_;
    QSpinBox* maxNodes_;
    QSpinBox* minPixels_;
    QDoubleSpinBox* lengthPrice_;
    QCheckBox* tinted_;
    MoreOptions* more_;
};

} // namespace pollard::app
