#pragma once

#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QString>
#include <QWidget>

namespace pollard::vm {
class Analysis;
class OrthogonalViewModel;
} // namespace pollard::vm

namespace pollard::app {

class SectionView;
struct Models;

/// The sections XZ and YZ of a volume beside the seen slice.
class OrthogonalPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit OrthogonalPanel(Models& models, QWidget* parent = nullptr);

    [[nodiscard]] const vm::Analysis& analysis() const noexcept;
    /// One view above the other, instead of beside it.
    void setTall(bool tall);

private:
    void addView(SectionView* view, const QString& name);
    void showState();

    const vm::OrthogonalViewModel& orthogonal_;
    QStackedWidget* pages_ = nullptr; ///< views, and the reason why there are none
    QSplitter* views_ = nullptr;
    QLabel* reason_ = nullptr;
    QLabel* position_ = nullptr;
    QString failure_; ///< of OpenGL; empty without one
};

} // namespace pollard::app
