#pragma once

#include "vm/picture/memory_plan.hpp"

#include <QDialog>

#include <cstdint>

class QButtonGroup;
class QGridLayout;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace pollard::app {

/// Shows what opening a picture would take against what is there, and lets a person choose what to do. Choices
/// that cannot fit are disabled; the largest picture that surely fits is chosen at first.
class MemoryDialog : public QDialog {
    Q_OBJECT

public:
    MemoryDialog(const vm::MemoryPlan& plan, const vm::OpenRequest& request, QWidget* parent = nullptr);

    /// What was chosen.
    [[nodiscard]] vm::OpenRequest choice() const;
    /// The engine without a GPU was chosen.
    [[nodiscard]] bool wantsCpu() const;
    /// There is something that can be opened.
    [[nodiscard]] bool canOpen() const noexcept { return open_ != nullptr; }

private:
    void addNumbers(QGridLayout& grid) const;
    QRadioButton* addChoice(const QString& text, int id, const vm::MemoryNeed& need);
    /// Why there is no room for it: "needs at least 44 GiB of 22.7 GiB free".
    [[nodiscard]] QString reasonAgainst(const vm::MemoryNeed& need) const;
    [[nodiscard]] vm::MemoryNeed smallestNeed() const;
    void addSmaller();
    void addCrop();
    void showPart();
    [[nodiscard]] PixelRegion presentPart() const;
    void choose();

    vm::MemoryPlan plan_;
    vm::OpenRequest request_;
    QButtonGroup* choices_ = nullptr;
    QRadioButton* best_ = nullptr; ///< of the choices so far, to be chosen at first
    vm::MemoryRoom bestRoom_ = vm::MemoryRoom::tooLittle;
    std::uint64_t bestPixels_ = 0;
    QRadioButton* crop_ = nullptr;
    QPushButton* open_ = nullptr; ///< null where nothing fits
    QSpinBox* x_ = nullptr;
    QSpinBox* y_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
};

} // namespace pollard::app
