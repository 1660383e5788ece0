// Any text as a session: an error in one line, or a session whose text form parses to the same session and is stable.
#include "base/error.hpp"
#include "promise.hpp"
#include "session/session.hpp"

#include <cstdint>
#include <string>
#include <string_view>

using pollard::fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    try {
        const pollard::SavedSession session = pollard::parseSession(text);
        const std::string written = pollard::toJson(session);
        const pollard::SavedSession again = pollard::parseSession(written);
        require(again == session, "the text of a session reads back to it");
        require(pollard::toJson(again) == written, "a session is always written the same");
        for (const auto& place : pollard::placesOf(session.image, "/folder/session.pollard")) {
            require(place.is_absolute() || session.image.absolute[1] == ':', "an image is looked for at a known place");
        }
    } catch (const pollard::Error& error) {
        const std::string_view message = error.what();
        require(!message.empty() && message.find('\n') == std::string_view::npos, "an error of one line");
    }
    return 0;
}
