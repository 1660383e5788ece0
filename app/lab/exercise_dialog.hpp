#pragma once

#include "player/exercise.hpp"

#include <QDialog>
#include <QString>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QPainter;
class QRectF;
class QSpinBox;

namespace pollard::app {

/// Content of a sheet of exercises.
struct SheetSpec {
    std::uint32_t seed = 1;
    std::size_t count = 4;
    bool answers = false;                      ///< written into the cells
    std::optional<teach::Question> topic = {}; ///< unset: all in turn
    teach::Difficulty difficulty = teach::Difficulty::usual;
};

/// Paints an exercise: its text, the image, and cells for the answer next to the image.
void paintExercise(QPainter& painter, const QRectF& area, const teach::Exercise& exercise, std::size_t number,
                   bool answered);

/// Writes a sheet as a PDF with A4 pages. @return error message; empty on success
[[nodiscard]] QString saveSheet(const SheetSpec& spec, const QString& path);

class ErrorPresenter;
class ExercisePreview;
struct Models;

/// Asks for topic, level, number and seed of exercises, shows the first one, and saves them as PDF.
class ExerciseDialog : public QDialog {
    Q_OBJECT

public:
    /// @param models,errors must outlive this
    ExerciseDialog(Models& models, ErrorPresenter& errors, QWidget* parent = nullptr);

private:
    [[nodiscard]] SheetSpec spec() const;
    void showFirst();
    void save();

    Models& models_;
    ErrorPresenter& errors_;
    QSpinBox* seed_;
    QSpinBox* count_;
    QCheckBox* answers_;
    QComboBox* topic_;
    QComboBox* level_;
    ExercisePreview* preview_;
};

} // namespace pollard::app
