#pragma once

#include "image/volume_plane.hpp"

#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QString>
#include <QWidget>

#include <vector>

namespace pollard::vm {
class Analysis;
class DocumentViewModel;
class OrthogonalViewModel;
} // namespace pollard::vm

namespace pollard::app {

class SectionView;
struct Models;

/// The sections XZ and YZ of a volume beside the seen slice, with the names of planes of a patient if it has one.
class OrthogonalPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models must outlive this
    explicit OrthogonalPanel(Models& models, QWidget* parent = nullptr);

    [[nodiscard]] const vm::Analysis& analysis() const noexcept;
    /// One view above the other, instead of beside it.
    void setTall(bool tall);

private:
    void addView(VolumeAxis across, Models& models, const QString& objectName, const QString& toolTip);
    void showNames();
    void showState();

    struct View {
        VolumeAxis across = VolumeAxis::y;
        SectionView* view = nullptr;
        QLabel* name = nullptr;
        QString toolTip;
    };

    const vm::DocumentViewModel& document_;
    const vm::OrthogonalViewModel& orthogonal_;
    std::vector<View> shown_;
    QStackedWidget* pages_ = nullptr; ///< views, and the reason why there are none
    QSplitter* views_ = nullptr;
    QLabel* reason_ = nullptr;
    QLabel* position_ = nullptr;
    QString failure_; ///< of OpenGL; empty without one
};

} // namespace pollard::app
