#pragma once

#include "vm/session/sample_list.hpp"

#include <QGridLayout>
#include <QToolButton>
#include <QWidget>

#include <vector>

namespace pollard::app {

/// A button for every sample, with its image, its title and its use.
class SampleGallery : public QWidget {
    Q_OBJECT

public:
    explicit SampleGallery(QWidget* parent = nullptr);

    /// Arranges the buttons for this width, px.
    void fitTo(int width);

signals:
    void chosen(const QString& file);

protected:
    void showEvent(QShowEvent* event) override;

private:
    void makeThumbnails();
    void showThumbnails();

    vm::SampleList samples_;
    QGridLayout* grid_;
    std::vector<QToolButton*> buttons_;
    int columns_ = 0;
};

} // namespace pollard::app
