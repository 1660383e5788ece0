#pragma once

#include "vm/image/memory_plan.hpp"

#include <QDialog>

#include <cstdint>

class QButtonGroup;
class QGridLayout;
class QPushButton;
class QRadioButton;
class QSpinBox;

namespace pollard::app {

/// Compares the memory needed to open an image with the free memory and offers alternatives. Choices that cannot fit
/// are disabled; initially the largest image that certainly fits is selected.
class MemoryDialog : public QDialog {
    Q_OBJECT

public:
    MemoryDialog(const vm::MemoryPlan& plan, const vm::OpenRequest& request, QWidget* parent = nullptr);

    /// The selected request.
    [[nodiscard]] vm::OpenRequest choice() const;
    /// Whether the CPU engine is selected.
    [[nodiscard]] bool wantsCpu() const;
    /// Whether any choice can be opened.
    [[nodiscard]] bool canOpen() const noexcept { return open_ != nullptr; }

private:
    void addNumbers(QGridLayout& grid) const;
    QRadioButton* addChoice(const QString& text, int id, const vm::MemoryNeed& need);
    /// Reason why a choice does not fit: "needs at least 44 GiB of 22.7 GiB free".
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
    QRadioButton* best_ = nullptr; ///< initial selection
    vm::MemoryRoom bestRoom_ = vm::MemoryRoom::tooLittle;
    std::uint64_t bestPixels_ = 0;
    QRadioButton* crop_ = nullptr;
    QPushButton* open_ = nullptr; ///< null if nothing fits
    QSpinBox* x_ = nullptr;
    QSpinBox* y_ = nullptr;
    QSpinBox* width_ = nullptr;
    QSpinBox* height_ = nullptr;
};

} // namespace pollard::app
