#include "docks/stain_controls.hpp"

#include "widgets/couple.hpp"
#include "widgets/panel_parts.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLocale>
#include <QPixmap>
#include <QVBoxLayout>

namespace pollard::app {
namespace {

using Stains = vm::StainPicks;

constexpr int kSwatch = 14; ///< side, logical px

QString vectorText(const std::optional<StainVector>& vector) {
    if (!vector) {
        return QStringLiteral("–");
    }
    const QLocale locale;
    const auto& [red, green, blue] = *vector;
    return QStringLiteral("%1  %2  %3")
        .arg(locale.toString(red, 'f', 3), locale.toString(green, 'f', 3), locale.toString(blue, 'f', 3));
}

} // namespace

StainControls::StainControls(Stains& stains, QWidget* parent) : QWidget(parent), stains_(stains) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(kPanelSpacing / 2);
    layout->addWidget(new SectionLabel(tr("Stains of the picture"), this));
    auto* hint = new CaptionLabel(tr("Drag a small rectangle over a place where only the chosen stain is, or click on "
                                     "it. The background is white unless you pick it. Esc: end"),
                                  this);
    hint->setWordWrap(true);
    layout->addWidget(hint);
    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(4);
    grid->setColumnStretch(2, 1);
    for (const Part part : Stains::kParts) {
        const int line = static_cast<int>(part);
        Row& row = rows_[static_cast<std::size_t>(part)];
        row = makeRow(part);
        grid->addWidget(row.choice, line, 0);
        grid->addWidget(row.colour, line, 1);
        if (row.name != nullptr) {
            grid->addWidget(row.name, line, 2);
        }
        grid->addWidget(row.vector, line, 3, Qt::AlignRight);
    }
    layout->addLayout(grid);
    problem_ = new CaptionLabel({}, this);
    problem_->setObjectName(QStringLiteral("stainProblem"));
    problem_->setWordWrap(true);
    layout->addWidget(problem_);
    auto* buttons = new QHBoxLayout;
    separate_ = new QPushButton(tr("Separate stains"), this);
    explain(separate_, tr("Separate stains"),
            tr("Show the amount of the first stain by colour deconvolution; the other one is in the list of channels"));
    auto* close = new QPushButton(tr("End"), this);
    explain(close, tr("End picking stains"), tr("The channel stays as it is"));
    buttons->addWidget(separate_);
    buttons->addWidget(close);
    buttons->addStretch(1);
    layout->addLayout(buttons);
    connect(separate_, &QPushButton::clicked, &stains_, &Stains::separate);
    connect(close, &QPushButton::clicked, &stains_, [this] { stains_.setPicking(false); });
    follow(this, &StainControls::showStains, stains_, &Stains::changed);
}

StainControls::Row StainControls::makeRow(Part part) {
    Row row;
    const int number = static_cast<int>(part) + 1;
    const bool isBackground = part == Part::background;
    const QString title = isBackground ? tr("Background") : tr("Stain %1").arg(number);
    row.choice = new QRadioButton(title, this);
    explain(row.choice, title, tr("The next place on the picture is taken for this"));
    row.colour = new QLabel(this);
    row.colour->setFixedSize(kSwatch, kSwatch);
    row.colour->setAccessibleName(tr("Mean colour of %1").arg(title));
    row.vector = new QLabel(this);
    row.vector->setTextInteractionFlags(Qt::TextSelectableByMouse);
    row.vector->setAccessibleName(tr("Vector of %1").arg(title));
    row.vector->setToolTip(tr("Optical densities of red, green and blue, of length 1"));
    connect(row.choice, &QRadioButton::clicked, &stains_, [this, part] { stains_.setPart(part); });
    if (!isBackground) {
        row.name = new QLineEdit(this);
        row.name->setPlaceholderText(tr("Name"));
        explain(row.name, tr("Name of stain %1").arg(number), tr("Name of the channel, for example DAB"));
        connect(row.name, &QLineEdit::textEdited, &stains_,
                [this, part](const QString& text) { stains_.setName(part, text); });
        connect(row.name, &QLineEdit::editingFinished, this, &StainControls::showStains);
    }
    return row;
}

void StainControls::show(const Row& row, Part part) const {
    row.choice->setChecked(stains_.part() == part);
    QPixmap swatch(row.colour->size() * devicePixelRatioF());
    swatch.setDevicePixelRatio(devicePixelRatioF());
    const QColor colour = stains_.colour(part);
    swatch.fill(colour.isValid() ? colour : Qt::transparent);
    row.colour->setPixmap(swatch);
    row.colour->setToolTip(colour.isValid() ? colour.name() : QString());
    const bool isBackground = part == Part::background;
    row.vector->setText(isBackground ? (colour.isValid() ? colour.name() : tr("white"))
                                     : vectorText(stains_.vector(part)));
    if (row.name != nullptr && !row.name->hasFocus()) {
        row.name->setText(stains_.name(part));
    }
}

void StainControls::showStains() {
    setVisible(stains_.isPicking());
    for (const Part part : Stains::kParts) {
        show(rows_[static_cast<std::size_t>(part)], part);
    }
    const QString problem = stains_.problem();
    problem_->setText(problem);
    problem_->setVisible(!problem.isEmpty());
    separate_->setEnabled(stains_.canSeparate());
}

} // namespace pollard::app
