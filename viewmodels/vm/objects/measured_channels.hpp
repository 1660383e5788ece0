#pragma once

#include "vm/base/async_result.hpp"

#include "io/channels.hpp"

#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace pollard::vm {

class DocumentViewModel;

/// The channels in which objects are measured: the displayed one, or all of the picture. All are read on another thread
/// while active, and kept until the picture changes.
class MeasuredChannels : public QObject {
    Q_OBJECT

public:
    enum class Choice { shown, all };

    /// @param document must outlive this
    explicit MeasuredChannels(DocumentViewModel& document, QObject* parent = nullptr);

    /// The picture has two or more channels.
    [[nodiscard]] bool isOffered() const noexcept { return names_.size() > 1; }
    [[nodiscard]] Choice choice() const noexcept { return choice_; }
    /// Kept for later pictures.
    void setChoice(pollard::vm::MeasuredChannels::Choice choice);
    /// Reads only while active.
    void setActive(bool active);

    /// Names of the columns that a table of objects has, "mean[DAPI]"; empty unless all channels are chosen and there
    /// are several.
    [[nodiscard]] const std::vector<std::string>& columns() const noexcept { return columns_; }
    /// All channels; null until they are read.
    [[nodiscard]] std::shared_ptr<const ChannelImage> planes() const noexcept { return planes_.value(); }
    [[nodiscard]] bool isReading() const noexcept { return planes_.state() == AsyncState::computing; }
    /// State for the user: being read, or why not; else empty.
    [[nodiscard]] QString stateText() const;
    /// Names of the channels of the picture.
    [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }

signals:
    void choiceChanged();
    void changed(); ///< names, columns, planes or state

private:
    void onPicture();
    void update();

    DocumentViewModel& document_;
    Choice choice_ = Choice::shown;
    bool active_ = false;
    std::vector<std::string> names_;
    std::vector<std::string> columns_;
    AsyncResult<ChannelImage> planes_{[this] { emit changed(); }}; ///< last: its job ends before the other members
};

} // namespace pollard::vm
