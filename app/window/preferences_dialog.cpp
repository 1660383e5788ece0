#include "window/preferences_dialog.hpp"

#include "limits_view_model.hpp"
#include "widgets/panel_parts.hpp"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDoubleSpinBox>
#include <QFormLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

QDoubleSpinBox* makeNumber(double least, double most, int decimals, const QString& suffix, QWidget* parent) {
    auto* box = new QDoubleSpinBox(parent);
    box->setRange(least, most);
    box->setDecimals(decimals);
    box->setSuffix(suffix);
    box->setGroupSeparatorShown(true);
    box->setKeyboardTracking(false);
    return box;
}

QLabel* makeNote(const QString& text, QWidget* parent) {
    auto* note = new CaptionLabel(text, parent);
    note->setWordWrap(true);
    return note;
}

} // namespace

PreferencesDialog::PreferencesDialog(vm::LimitsViewModel& limits, QWidget* parent) : QDialog(parent), limits_(limits) {
    setObjectName(QStringLiteral("preferences"));
    setWindowTitle(tr("Preferences"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2 * kPanelMargin, 2 * kPanelMargin, 2 * kPanelMargin, kPanelMargin);
    layout->setSpacing(kPanelMargin);

    layout->addWidget(new SectionLabel(tr("Memory"), this));
    ask_ = new QCheckBox(tr("Ask before a picture that needs more than half of the free memory"), this);
    ask_->setObjectName(QStringLiteral("askAboutMemory"));
    explain(ask_, ask_->text(), tr("Shows the numbers and what can be done: a part, a smaller version, the CPU"));
    layout->addWidget(ask_);
    auto* memory = new QFormLayout;
    cache_ = new QSpinBox(this);
    cache_->setObjectName(QStringLiteral("cacheMib"));
    cache_->setRange(0, limits_.mostCacheMib());
    cache_->setSingleStep(256);
    cache_->setSuffix(tr(" MiB"));
    cache_->setSpecialValueText(tr("none"));
    cache_->setGroupSeparatorShown(true);
    cache_->setKeyboardTracking(false);
    explain(cache_, tr("Memory for pages shown before"),
            tr("Pages of a stack keep their trees up to this size, so that going back takes no time"));
    memory->addRow(tr("For pages shown before"), cache_);
    layout->addLayout(memory);

    layout->addWidget(new Divider(this));
    layout->addWidget(new SectionLabel(tr("Files that claim too much"), this));
    layout->addWidget(makeNote(
        tr("A file beyond these limits is refused before memory is taken. They hold for files opened from now on."),
        this));
    auto* files = new QFormLayout;
    megapixels_ = makeNumber(1, vm::LimitsViewModel::kMostMegapixels, 1, tr(" MP"), this);
    megapixels_->setObjectName(QStringLiteral("maxMegapixels"));
    explain(megapixels_, tr("Largest page"), tr("Pixels of a page, in millions"));
    decoded_ = makeNumber(0, vm::LimitsViewModel::kMostDecodedGib, 2, tr(" GiB"), this);
    decoded_->setObjectName(QStringLiteral("maxDecodedGib"));
    decoded_->setSpecialValueText(tr("what is free"));
    explain(decoded_, tr("Largest decoded page"),
            tr("Bytes of all samples of a page; 0 for what the computer has free"));
    expansion_ =
        makeNumber(vm::LimitsViewModel::kLeastExpansion, vm::LimitsViewModel::kMostExpansion, 0, tr(" : 1"), this);
    expansion_->setObjectName(QStringLiteral("maxExpansion"));
    explain(expansion_, tr("Largest expansion"),
            tr("Decoded bytes per byte of the file, for pages over 256 MiB; beyond it a file is taken for a "
               "decompression bomb"));
    files->addRow(tr("Largest page"), megapixels_);
    files->addRow(tr("Largest decoded page"), decoded_);
    files->addRow(tr("Largest expansion"), expansion_);
    layout->addLayout(files);
    layout->addStretch(1);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close | QDialogButtonBox::RestoreDefaults, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, &limits_,
            &vm::LimitsViewModel::restoreDefaults);
    buttons->button(QDialogButtonBox::RestoreDefaults)->setAutoDefault(false); // Return must not undo choices
    buttons->button(QDialogButtonBox::Close)->setDefault(true);
    layout->addWidget(buttons);

    using Limits = vm::LimitsViewModel;
    connect(ask_, &QCheckBox::toggled, &limits_, &Limits::setAsking);
    connect(cache_, &QSpinBox::valueChanged, &limits_, &Limits::setCacheMib);
    connect(megapixels_, &QDoubleSpinBox::valueChanged, &limits_, &Limits::setMaxMegapixels);
    connect(decoded_, &QDoubleSpinBox::valueChanged, &limits_, &Limits::setMaxDecodedGib);
    connect(expansion_, &QDoubleSpinBox::valueChanged, &limits_, &Limits::setMaxExpansion);
    connect(&limits_, &Limits::changed, this, &PreferencesDialog::showLimits);
    showLimits();
}

void PreferencesDialog::showLimits() {
    // What a box shows is rounded; it must not come back as a change.
    const QSignalBlocker quiet[] = {QSignalBlocker(ask_), QSignalBlocker(cache_), QSignalBlocker(megapixels_),
                                    QSignalBlocker(decoded_), QSignalBlocker(expansion_)};
    ask_->setChecked(limits_.isAsking());
    cache_->setValue(limits_.cacheMib());
    megapixels_->setValue(limits_.maxMegapixels());
    decoded_->setValue(limits_.maxDecodedGib());
    expansion_->setValue(limits_.maxExpansion());
}

} // namespace pollard::app
