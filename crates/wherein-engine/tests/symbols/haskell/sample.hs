{-# LANGUAGE TemplateHaskell #-}
{-# LANGUAGE GADTs #-}
-- | Orders of the shop.
module Shop.Orders
  ( Order (..)
  , total
  ) where

import qualified Data.Map as Map
import Data.Text (Text)

-- | What is bought.
data Order = Order
  { orderId :: Int -- ^ its number
  , orderLines :: [Line]
  }
  deriving (Show, Eq)

data Colour = Red | Green Int | Blue
newtype Price = Price { unPrice :: Double }
type Id = Int
type family Elem c
data Expr a where
  IntE :: Int -> Expr Int
  BoolE :: Bool -> Expr Bool

{- | Things that have a price.
   Both orders and lines. -}
class Priced a where
  type Currency a
  priceOf :: a -> Price
  -- | Free of charge.
  isFree :: a -> Bool
  isFree x = unPrice (priceOf x) == 0

instance Priced Order where
  priceOf order = Price (total order)

deriving instance Ord Price

maxLines :: Int
maxLines = 3

-- | The sum of all lines.
total :: Order -> Double
total (Order _ []) = 0
total order = sum (map lineTotal (orderLines order)) + shipping
  where
    shipping = 4.5
    lineTotal line = fromIntegral (quantity line) * 2

infixl 6 |+|
-- | Adds two prices.
(|+|) :: Price -> Price -> Price
Price a |+| Price b = Price (a + b)

größe :: Order -> Int
größe = length . orderLines

describe :: Show a => a -> String
describe x
  | null shown = "nothing"
  | otherwise = "an order: " ++ shown ++ ['!']
  where shown = show x

pattern Empty :: Order
pattern Empty <- Order _ []

loadAll :: IO [Order]
loadAll = do
  let path = "orders.txt"
  text <- readFile path
  mapM_ putStrLn (lines text)
  pure $ Map.elems (Map.fromList [])

foreign import ccall "math.h sin" c_sin :: Double -> Double

makeLenses ''Order

main :: IO ()
main = loadAll >>= print
