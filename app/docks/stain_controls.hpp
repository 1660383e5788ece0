#pragma once

#include "vm/region/stain_picks.hpp"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QWidget>

#include <array>

namespace pollard::app {

/// The stains picked on the image, with their colours, names and vectors. Hidden unless they are being picked.
class StainControls : public QWidget {
    Q_OBJECT

public:
    /// @param stains must outlive this
    explicit StainControls(vm::StainPicks& stains, QWidget* parent = nullptr);

private:
    using Part = vm::StainPicks::Part;
    struct Row {
        QRadioButton* choice = nullptr;
        QLabel* colour = nullptr;
        QLineEdit* name = nullptr; ///< null for the background
        QLabel* vector = nullptr;
    };
    [[nodiscard]] Row makeRow(Part part);
    void show(const Row& row, Part part) const;
    void showStains();

    vm::StainPicks& stains_;
    std::array<Row, vm::StainPicks::kParts.size()> rows_;
    QLabel* problem_ = nullptr;
    QPushButton* separate_ = nullptr;
};

} // namespace pollard::app
