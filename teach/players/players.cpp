#include "player/player.hpp"
#include "players/attribute_player.hpp"
#include "players/border_player.hpp"
#include "players/boruvka_player.hpp"
#include "players/columns_player.hpp"
#include "players/filter_players.hpp"
#include "players/flooding_player.hpp"
#include "players/grid_simplification_player.hpp"
#include "players/ha4_player.hpp"
#include "players/rims_player.hpp"
#include "players/snake_player.hpp"
#include "players/strips_player.hpp"
#include "players/tiles_player.hpp"
#include "players/tmk_player.hpp"
#include "players/union_find_player.hpp"

#include <algorithm>
#include <vector>

namespace pollard::teach {

std::span<const PlayerInfo> players() {
    static const std::vector<PlayerInfo> all = [] {
        std::vector<PlayerInfo> list{
            unionFindPlayer(), floodingPlayer(),           columnsPlayer(), tilesPlayer(),
            borderPlayer(),    gridSimplificationPlayer(), boruvkaPlayer(), rimsPlayer(),
        };
        list.push_back(attributePlayer());
        list.insert(list.end(), filterPlayers().begin(), filterPlayers().end());
        list.push_back(ha4Player());
        list.push_back(tmkPlayer());
        list.push_back(stripsPlayer());
        list.push_back(snakePlayer());
        return list;
    }();
    return all;
}

const PlayerInfo* findPlayer(std::string_view id) {
    const auto all = players();
    const auto found = std::ranges::find(all, id, &PlayerInfo::id);
    return found != all.end() ? &*found : nullptr;
}

} // namespace pollard::teach
