#include "vm/document/document_reading.hpp"

#include "vm/document/document_activity.hpp"

#include <algorithm>
#include <array>

namespace pollard::vm {

namespace {

constexpr std::array kColourNames{"red", "green", "blue"};

} // namespace

int DocumentReading::wantedPage() const { return isOpeningAnother() ? shown_.request.page : presentRequest().page; }

bool DocumentReading::isOpeningAnother() const {
    return shown_.image && loading_ && loading_->path != shown_.request.path;
}

QString DocumentReading::channelName() const { return QString::fromStdString(channel().text()); }

QStringList DocumentReading::channelNames() const {
    QStringList names{QStringLiteral("luminance")};
    if (shown_.info && (shown_.info->samples >= 3 || shown_.info->photometric == "Palette")) {
        for (const char* name : kColourNames) {
            names << QString::fromLatin1(name);
        }
    }
    return names;
}

LoadRules DocumentReading::rulesFor(const OpenRequest& request) const {
    const bool decided =
        (shown_.image && request.sameStack(shown_.request)) || (decided_ && decided_->sameStack(request));
    LoadRules rules = rules_;
    rules.askFirst = rules.askFirst && !decided;
    return rules;
}

void DocumentReading::change(const OpenRequest& request) {
    if (isOpeningAnother()) {
        emit readingKept();
    } else if (!request.path.isEmpty() && !(request == presentRequest())) {
        emit requested(request);
    }
}

void DocumentReading::setLevel(int level) {
    OpenRequest request = presentRequest();
    if (request.level != level) {
        request.level = level;
        request.region.reset(); // a part of the other level
    }
    change(request);
}

void DocumentReading::setChannelName(const QString& name) {
    try {
        setChannel(ChannelChoice::parse(name.toStdString()));
    } catch (const Error& error) {
        activity_.fail(tr("The channel cannot be shown"), {JobOutcome::Kind::failed, error.code(), error.what()});
    }
}

OpenRequest DocumentReading::end(const OpenRequest& request, bool newest) {
    OpenRequest opened = request;
    if (loading_ && loading_->path == request.path) {
        opened.pixelSize = loading_->pixelSize;
    }
    if (newest) {
        loading_.reset();
    }
    return opened;
}

void DocumentReading::setPixelSize(const std::optional<PixelSize>& size) {
    if (loading_ && (!shown_.image || loading_->path == shown_.request.path)) {
        loading_->pixelSize = size;
    }
}

void DocumentReading::takeCache(const CacheUse& use) {
    if (cache_ != use) {
        cache_ = use;
        emit cacheChanged();
    }
}

} // namespace pollard::vm
